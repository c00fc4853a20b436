// Arrays as the engine sends them: little-endian bytes in base64, so that no bit is lost.
const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

export function unpack(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return new TYPES[packed.type](bytes.buffer);
}
