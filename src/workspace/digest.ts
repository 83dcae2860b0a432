/** The SHA-256 of bytes or text in lower-case hex. */
export function sha256(data: Uint8Array | string): string {
  // Loaded on use: most runs digest nothing, and loading it costs a tenth of their time.
  return process.getBuiltinModule('node:crypto').hash('sha256', data)
}
