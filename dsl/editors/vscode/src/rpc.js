// JSON-RPC over the stdin and stdout of a process, as the Language Server Protocol frames it.
"use strict";

const { spawn } = require("node:child_process");

class Connection {
  // `command`: the program and its arguments. `onNotice(method, params)` is told of notifications,
  // `onEnd(reason)` when the process has ended.
  constructor(command, cwd, onNotice, onEnd) {
    this.waiting = new Map();
    this.lastId = 0;
    this.buffer = Buffer.alloc(0);
    this.onNotice = onNotice;
    this.errors = "";
    this.process = spawn(command[0], command.slice(1), { cwd });
    this.process.stdout.on("data", (data) => this.take(data));
    this.process.stderr.on("data", (data) => (this.errors = (this.errors + data).slice(-2000)));
    this.process.stdin.on("error", () => {});
    const end = (reason) => {
      if (this.ended) return;
      this.ended = true;
      for (const { reject } of this.waiting.values()) reject(new Error(reason));
      this.waiting.clear();
      onEnd(reason);
    };
    this.process.on("error", (error) => end(error.message));
    this.process.on("exit", (code) => end(this.errors.trim() || `it ended with code ${code}`));
  }

  // Asks something; the answer is the result. `token`: a CancellationToken, or nothing.
  request(method, params, token) {
    const id = ++this.lastId;
    this.write({ jsonrpc: "2.0", id, method, params });
    if (token) token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  notify(method, params) {
    this.write({ jsonrpc: "2.0", method, params });
  }

  write(message) {
    if (this.ended) return;
    const body = Buffer.from(JSON.stringify(message), "utf8");
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  take(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const head = this.buffer.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = /Content-Length: *(\d+)/i.exec(this.buffer.toString("ascii", 0, head));
      const end = head + 4 + Number(length ? length[1] : 0);
      if (this.buffer.length < end) return;
      const message = JSON.parse(this.buffer.toString("utf8", head + 4, end));
      this.buffer = this.buffer.subarray(end);
      this.handle(message);
    }
  }

  handle(message) {
    if (message.method === undefined) {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (!waiting) return;
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    } else if (message.id === undefined) {
      this.onNotice(message.method, message.params);
    } else {
      this.write({ jsonrpc: "2.0", id: message.id, result: null });
    }
  }

  async stop() {
    if (this.ended) return;
    await Promise.race([
      this.request("shutdown", null).catch(() => null),
      new Promise((resolve) => setTimeout(resolve, 2000)),
    ]);
    this.notify("exit", null);
    this.process.stdin.end();
  }
}

module.exports = { Connection };
