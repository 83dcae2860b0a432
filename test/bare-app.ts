/** What an operation needs of its application, for a program that is started by tests. */
export function bareApp(root: string) {
  return {
    now: Date.now(),
    clock: Date.now,
    root,
    cwd: root,
    version: '0.0.0',
    stdin: async () => new Uint8Array(),
  }
}
