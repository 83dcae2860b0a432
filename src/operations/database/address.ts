import { WaybillError } from '../../error.ts'

/**
 * Validates the address of a PostgreSQL server.
 *
 * @throws {WaybillError} 'configuration' when it is invalid
 */
export function serverAddress(url: string): string {
  // A socket address has no host, which URL.parse rejects.
  const whole = url.replace(/^([^?]*)@\//, '$1@localhost/')
  const { pathname = '/', searchParams } = /^postgres(?:ql)?:\/\//.test(url)
    ? (URL.parse(whole) ?? {})
    : {}
  // With an invalid port, the driver hangs while connecting.
  const hasPort = searchParams?.getAll('port').every(isPort) ?? false
  if (pathname.length > 1 && hasPort) {
    if (searchParams?.getAll('sslmode').some(mode => !MODES.includes(mode)))
      throw new WaybillError('configuration', 'DATABASE_URL has an unknown sslmode', {
        hint: `use one of ${MODES.join(', ')}`,
      })
    // The driver treats these modes as verify-full, with a warning at each start.
    return LIBPQ.test(whole) ? whole : whole.replace(ENCRYPTED, '$1verify-full')
  }
  throw new WaybillError('configuration', 'DATABASE_URL is not a PostgreSQL address', {
    hint: 'use postgres://<user>:<password>@<host>:<port>/<database>; encode / @ # ? in a password as %2F %40 %23 %3F',
  })
}

function isPort(port: string): boolean {
  return /^[0-9]{1,5}$/.test(port) && Number(port) < 65_536
}

/** Modes that the driver supports; it would silently accept any other, and treat an empty one as no encryption. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const ENCRYPTED = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/g
/** With this parameter, the modes have their libpq meaning. */
const LIBPQ = /[?&]uselibpqcompat=true(?:&|#|$)/
