import { listed, quote } from '../../contract/index.ts'
import { reviewNamed } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'

const STATUSES = ['present', 'missing', 'not-applicable']

/** The input for artifacts that a gate is shown. */
export const ARTIFACT = {
  type: 'array',
  items: { type: 'string' },
  placeholder: 'name=status',
  description: 'A required artifact: present (default), missing or not-applicable.',
} as const

/** Reads artifacts and their statuses. */
export function artifactsIn(texts: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map(artifactIn))
}

function artifactIn(text: string): readonly [name: string, status: string] {
  const at = text.includes('=') ? text.lastIndexOf('=') : text.length
  const name = text.slice(0, at).trim()
  const status = text.slice(at + 1).trim() || (at === text.length ? 'present' : '')
  if (reviewNamed(name)) {
    throw new WaybillError(
      'usage',
      `--artifact ${quote(text)} cannot set the review of a mission`,
      {
        hint: "use --mission <id>, which reads the mission's review",
      },
    )
  }
  if (STATUSES.includes(status) && /^[^\p{Cc}\p{Cf}]*[\p{L}\p{N}][^\p{Cc}\p{Cf}]*$/u.test(name))
    return [name, status]
  throw new WaybillError('usage', `--artifact ${quote(text)} is not <name>=<status>`, {
    hint: `for example TestPlan=present; a status is ${listed(STATUSES, 'or')}`,
  })
}
