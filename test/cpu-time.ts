const never = new Int32Array(new SharedArrayBuffer(4))

/** Milliseconds of CPU that work takes on this thread: what else runs on the machine does not count. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = used()
  await work()
  return used() - before
}

function used(): number {
  // While a thread runs its time is counted at ticks of some milliseconds; when it sleeps, exactly.
  Atomics.wait(never, 0, 0, 1)
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
