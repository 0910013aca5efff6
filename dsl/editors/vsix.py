"""Packs the extension for Visual Studio Code: `python -m dsl.editors.vsix FILE`.

A .vsix is a zip file with the extension, a manifest and a list of content types. Everything in it
is in the folder `vscode`; the client needs no package of npm, so nothing is bundled.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

SOURCE = Path(__file__).with_name("vscode")

_TYPES = {
    ".json": "application/json",
    ".js": "application/javascript",
    ".md": "text/markdown",
    ".png": "image/png",
    ".txt": "text/plain",
    ".vsixmanifest": "text/xml",
}
_EARLY = (1980, 1, 1, 0, 0, 0)
"""The same files make the same package, whenever it is made."""


def build_vsix(target: Path) -> None:
    """Writes the package."""
    package = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    files = {
        f"extension/{path.relative_to(SOURCE).as_posix()}": path.read_bytes()
        for path in sorted(SOURCE.rglob("*"))
        if path.is_file()
    }
    files["extension/LICENSE.txt"] = files.pop("extension/LICENSE")
    parts = {
        "[Content_Types].xml": _content_types().encode(),
        "extension.vsixmanifest": _manifest(package).encode(),
        **files,
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, _EARLY)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            packed.writestr(info, content)


def _content_types() -> str:
    lines = "".join(
        f'<Default Extension="{ending}" ContentType="{kind}"/>' for ending, kind in _TYPES.items()
    )
    space = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{space}">{lines}</Types>\n'


def _manifest(package: dict[str, object]) -> str:
    def said(name: str) -> str:
        return quoteattr(str(package[name]))

    engine = quoteattr(str(package["engines"]["vscode"]))  # type: ignore[index]
    categories = ",".join(package["categories"])  # type: ignore[arg-type]
    description = said("description")[1:-1]
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={said("name")} Version={said("version")} Publisher={said("publisher")}/>
    <DisplayName>{said("displayName")[1:-1]}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/icon.png</Icon>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/icon.png" Addressable="true"/>
  </Assets>
</PackageManifest>
"""  # noqa: E501


def main() -> None:
    """Writes the package to the file that is named."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m dsl.editors.vsix FILE")
    build_vsix(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
