import { guard } from './guard.ts'
import { placeOf } from './place.ts'

/**
 * The program that stops an unused server. Arguments: the state folder, the idle time, and the last start before this
 * one (0 for a running server), both in milliseconds.
 */
const [folder = '', idle, before] = process.argv.slice(2)
guard(placeOf(folder), Number(idle), Number(before)).catch(() => process.exit(1))
