// Decodes arrays that the engine sends: little-endian bytes in base64, without loss.
const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

export function unpack(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return new TYPES[packed.type](bytes.buffer);
}

// Encodes an array, as encoding/packing.py does: integers use the smallest type that holds them.
export function pack(values, whole = false) {
  let type = "f8";
  if (whole) {
    const largest = values.reduce((most, value) => Math.max(most, value), 0);
    type = largest < 1 << 8 ? "u1" : largest < 1 << 16 ? "u2" : "u4";
  }
  const bytes = new Uint8Array(TYPES[type].from(values).buffer);
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return { type, data: btoa(text) };
}
