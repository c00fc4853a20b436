// The state of the Boolean bench: a function as expression or truth table, and the engine's answer.
export function emptyBoolean() {
  return { expression: "a and (b or not c)", table: null, variables: null, tie: "negative", answer: null, error: null, busy: false };
}

// Sends a request to the engine when the function changes while the bench is open.
export function requestBoolean({ store, transport }) {
  let pendingRequest = null;
  let lastQuestion = null;
  const set = (patch) => store.set({ boolean: { ...store.state.boolean, ...patch } });
  const update = async () => {
    const { bench, boolean } = store.state;
    const { expression, table, variables } = boolean;
    const question = JSON.stringify(table === null ? { expression } : { table, variables });
    if (bench !== "boolean" || question === lastQuestion) return;
    lastQuestion = question;
    pendingRequest?.abort();
    const control = new AbortController();
    pendingRequest = control;
    set({ busy: true });
    try {
      const answer = await transport.ask("boolean", JSON.parse(question), { signal: control.signal });
      if (pendingRequest === control) set({ answer, error: null, busy: false });
    } catch (error) {
      if (pendingRequest === control && error.name !== "AbortError") set({ error: error.message, busy: false });
    }
  };
  store.subscribe(["bench", "boolean"], update);
  update();
}

// Returns the truth table with the value of one row changed.
export function flipped({ bits, variables }, row) {
  const table = bits.slice(0, row) + (bits[row] === "1" ? "0" : "1") + bits.slice(row + 1);
  return { table, variables };
}

// Returns a truth table of n variables that keeps the first rows of the old one.
export function resized({ bits, variables }, n) {
  const size = 1 << n;
  const names = Array.from({ length: n }, (_, k) => variables[k] ?? unused(variables, k));
  return { table: bits.repeat(Math.ceil(size / bits.length)).slice(0, size), variables: names };
}

function unused(variables, k) {
  const letter = String.fromCharCode(97 + k);
  return variables.includes(letter) ? `x${k + 1}` : letter;
}
