import { WaybillError } from '../../error.ts'

/** Takes the address of a server as the environment names it, or says what one looks like. */
export function serverAddress(url: string): string {
  // A socket has no host.
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url.replace('@/', '@socket/'))) return url
  throw new WaybillError(
    'configuration',
    'DATABASE_URL is not the address of a PostgreSQL server',
    {
      hint: 'write postgres://<user>:<password>@<host>:<port>/<database>, and in a password %2F for /, %40 for @, %23 for # and %3F for ?',
    },
  )
}
