import { join } from 'node:path'
import { WaybillError } from '../../error.ts'
import type { Choice } from './choose.ts'
import { dataVersion, type Place, writeText } from './place.ts'
import { runAs } from './run-as.ts'
import { DATABASE, OWNER, readPassword } from './session.ts'

/** Creates the password once; read access to its file means ownership of the database. */
export function ensurePassword(place: Place): string {
  return readPassword(place) ?? written(place, newPassword())
}

/** Reports whether there is data whose password is lost. */
export function isPasswordLost(place: Place): boolean {
  return readPassword(place) === undefined && dataVersion(place) !== undefined
}

/**
 * Sets a new password on the data of a stopped server; anyone who can run PostgreSQL on the data could do so. The file
 * is written last, so that an interrupted change is repeated.
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
  // Do not show the statement, which contains the password.
  const why = failure ?? /(?:FATAL|PANIC|ERROR):.*/.exec(output)?.[0] ?? `exit code ${status}`
  throw new WaybillError(
    'input-output',
    `the password file ${place.password} is missing, and no new password can be set: ${why}`,
    { hint: 'restore the file, or try again' },
  )
}

function newPassword(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(24).toString('hex')
}

function written(place: Place, password: string): string {
  writeText(place.password, `${password}\n`)
  return password
}
