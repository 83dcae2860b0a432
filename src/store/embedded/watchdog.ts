import { guard } from './guard.ts'
import { placeOf } from './place.ts'

/**
 * The program that stops a server nobody uses. Its arguments: the folder of local state, the time without use, and when
 * a server was last started before this one, 0 where it runs; both in milliseconds.
 */
const [folder = '', idle, before] = process.argv.slice(2)
guard(placeOf(folder), Number(idle), Number(before)).catch(() => process.exit(1))
