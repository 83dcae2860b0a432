import { WaybillError } from '../../error.ts'

/** Takes the address of a server as the environment names it, or says what one looks like. */
export function serverAddress(url: string): string {
  // A socket has no host, which not all who read the address take for one.
  const whole = url.replace(/^([^?]*)@\//, '$1@localhost/')
  const { pathname = '/', searchParams } = /^postgres(?:ql)?:\/\//.test(url)
    ? (URL.parse(whole) ?? {})
    : {}
  // The driver would begin to connect to what is no port, and never end.
  const hasPort = searchParams?.getAll('port').every(isPort) ?? false
  if (pathname.length > 1 && hasPort) {
    if (searchParams?.getAll('sslmode').some(mode => !MODES.includes(mode)))
      throw new WaybillError(
        'configuration',
        'DATABASE_URL has an sslmode that is not known here',
        {
          hint: `let it be one of ${MODES.join(', ')}`,
        },
      )
    // The driver means this by all of them, and says at each start that it may not do so for ever.
    return LIBPQ.test(whole) ? whole : whole.replace(ENCRYPTED, '$1verify-full')
  }
  throw new WaybillError(
    'configuration',
    'DATABASE_URL is not the address of a PostgreSQL server',
    {
      hint: 'write postgres://<user>:<password>@<host>:<port>/<database>, and in a password %2F for /, %40 for @, %23 for # and %3F for ?',
    },
  )
}

function isPort(port: string): boolean {
  return /^[0-9]{1,5}$/.test(port) && Number(port) < 65_536
}

/** What the driver knows; anything else it would take in silence, an empty one for no encryption at all. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const ENCRYPTED = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/g
/** Who asks for the modes as PostgreSQL's own programs have them gets those. */
const LIBPQ = /[?&]uselibpqcompat=true(?:&|#|$)/
