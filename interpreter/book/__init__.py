"""The rulebook of a variant: chapters made from the checked program, and the forms in which they
are written. What lies on the table is drawn elsewhere (`interpreter/table`)."""
