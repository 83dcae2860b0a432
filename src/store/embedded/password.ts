import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import type { Choice } from './choose.ts'
import { dataVersion, type Place, writeText } from './place.ts'
import { runAs } from './run-as.ts'
import { DATABASE, OWNER, readPassword } from './session.ts'

/** Makes the password, once: whoever can read the file is the owner of the database. */
export function ensurePassword(place: Place): string {
  return readPassword(place) ?? written(place, newPassword())
}

/** Whether there are data whose password is lost. */
export function isPasswordLost(place: Place): boolean {
  return readPassword(place) === undefined && dataVersion(place) !== undefined
}

/**
 * Gives the data of a server that does not run a new password, in place of one that is lost: whoever may run PostgreSQL
 * on them could do so in any case. The file comes last, so that who is ended in between does it again.
 */
export async function replacePassword(
  place: Place,
  { binaries, as }: Choice,
  path: string,
): Promise<void> {
  const password = newPassword()
  const { status, output, failure } = await runAs(as, {
    program: join(binaries.bin, 'postgres'),
    folder: place.data,
    path,
    args: folder => ['--single', '-D', folder, '-c', 'exit_on_error=on', DATABASE],
    input: `alter role ${OWNER} password '${password}'\n`,
  })
  if (status === 0) return void written(place, password)
  // The statement may be told as well.
  const why = failure ?? /(?:FATAL|PANIC|ERROR):.*/.exec(output)?.[0] ?? `exit code ${status}`
  throw new WaybillError(
    'input-output',
    `${place.password} is missing, with the password of the database, and no other can be set: ${why}`,
    { hint: 'put the file back, or try again' },
  )
}

function newPassword(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(24).toString('hex')
}

function written(place: Place, password: string): string {
  writeText(place.password, `${password}\n`)
  return password
}
