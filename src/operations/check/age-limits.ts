import { AGE_LIMITS, type AgeLimits } from '../../contracts/index.ts'
import { type Config, configurationError } from '../../workspace/index.ts'

const HOUR = 60 * 60 * 1000
const KEYS = ['slightly', 'stale', 'very'] as const

/**
 * Returns the ages that separate the classes of staleness, as configured in waybill.yaml.
 *
 * @throws {WaybillError} 'configuration' when they do not rise
 */
export function ageLimitsIn(config: Config): AgeLimits {
  const { staleness = {} } = config
  const [slightly, stale, very] = KEYS.map(
    (key, i) => millisecondsOf(staleness[key]) ?? AGE_LIMITS[i],
  )
  const limits: AgeLimits = [slightly ?? 0, stale ?? 0, very ?? 0]
  const fault = KEYS.find((_, i) => (limits[i] ?? 0) < (limits[i - 1] ?? 0))
  if (fault === undefined) return limits
  throw configurationError(config, [
    {
      path: ['staleness'],
      message: `the ages of 'staleness' do not rise: '${fault}' is below the one before it`,
      hint: 'without a value they are slightly: 24h, stale: 72h, very: 7d',
    },
  ])
}

function millisecondsOf(age: string | undefined): number | undefined {
  if (age === undefined) return undefined
  return Number.parseInt(age, 10) * (age.endsWith('d') ? 24 * HOUR : HOUR)
}
