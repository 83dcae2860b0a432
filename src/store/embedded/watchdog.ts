import { guard } from './guard.ts'
import { placeOf } from './place.ts'

/**
 * The program that stops a server nobody uses. Its arguments: the folder of local state, the time without use, and after
 * which time the server is started, 0 where it runs; both in milliseconds.
 */
const [folder = '', idle, since] = process.argv.slice(2)
guard(placeOf(folder), Number(idle), Number(since)).catch(() => process.exit(1))
