// The Boolean bench's state: a function by expression or by table, and what the engine says of it.
export function emptyBoolean() {
  return { expression: "a and (b or not c)", table: null, variables: null, tie: "negative", answer: null, error: null, busy: false };
}

// Asks about the function whenever it changes while the bench is open.
export function followBoolean({ store, transport }) {
  let asking = null;
  let asked = null;
  const set = (patch) => store.set({ boolean: { ...store.state.boolean, ...patch } });
  const update = async () => {
    const { bench, boolean } = store.state;
    const { expression, table, variables } = boolean;
    const question = JSON.stringify(table === null ? { expression } : { table, variables });
    if (bench !== "boolean" || question === asked) return;
    asked = question;
    asking?.abort();
    const control = new AbortController();
    asking = control;
    set({ busy: true });
    try {
      const answer = await transport.ask("boolean", JSON.parse(question), { signal: control.signal });
      if (asking === control) set({ answer, error: null, busy: false });
    } catch (error) {
      if (asking === control && error.name !== "AbortError") set({ error: error.message, busy: false });
    }
  };
  store.subscribe(["bench", "boolean"], update);
  update();
}

// The table with one row changed.
export function flipped({ bits, variables }, row) {
  const table = bits.slice(0, row) + (bits[row] === "1" ? "0" : "1") + bits.slice(row + 1);
  return { table, variables };
}

// A table of n variables: as much of the old one as there is room for, by its first rows.
export function resized({ bits, variables }, n) {
  const size = 1 << n;
  const names = Array.from({ length: n }, (_, k) => variables[k] ?? unused(variables, k));
  return { table: bits.repeat(Math.ceil(size / bits.length)).slice(0, size), variables: names };
}

function unused(variables, k) {
  const letter = String.fromCharCode(97 + k);
  return variables.includes(letter) ? `x${k + 1}` : letter;
}
