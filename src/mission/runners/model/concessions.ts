import { failed } from '../failure.ts'
import { quoted } from '../quoted.ts'
import type { Rules } from '../wire.ts'

type Body = Record<string, unknown>

/** Optional request parts that some providers refuse, how they name them, and the request without them. */
const CONCESSIONS: readonly {
  readonly named: RegExp
  readonly applies: (body: Body) => boolean
  readonly without: (body: Body) => Body
}[] = [
  {
    // Newer OpenAI models name the limit differently.
    named: /max_completion_tokens/,
    applies: body => 'max_tokens' in body,
    without: ({ max_tokens, ...rest }) => ({ ...rest, max_completion_tokens: max_tokens }),
  },
  {
    // The prompt also contains the schema.
    named: /response_format|json_schema|output_config|output_format/,
    applies: body => 'response_format' in body || 'output_config' in body,
    without: ({ response_format, output_config, ...rest }) => rest,
  },
  {
    named: /stream_options|include_usage/,
    applies: body => 'stream_options' in body,
    without: ({ stream_options, ...rest }) => rest,
  },
]

/** Repeats a request without an optional part that the provider refused; any other refusal is a failure. */
export function concede(who: string, key: string | undefined): NonNullable<Rules['refused']> {
  return (status, text, asked) => {
    const body = objectOf(asked)
    const concession =
      (status === 400 || status === 422) &&
      CONCESSIONS.find(({ named, applies }) => named.test(text) && applies(body))
    if (concession) return { is: 'again', body: JSON.stringify(concession.without(body)) }
    const why = quoted(text, [key])
    const message = `${who} refused the request with status ${status}${why && `: ${why}`}`
    return failed('mission/runner-failed', message, false)
  }
}

/** Parses our own JSON request. */
function objectOf(text: string): Body {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
