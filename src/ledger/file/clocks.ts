import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import type { LastClock } from '../log.ts'

let boot: string | undefined

/** Reads the monotonic clock and the boot id it counts from. */
export function readClocks(): Pick<LastClock, 'boot' | 'uptime'> {
  boot ??= bootId()
  return { boot, uptime: uptime() * 1000 }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
