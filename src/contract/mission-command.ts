import { shellWord } from './wording.ts'

/** The tenant of missions when none is given. */
export const DEFAULT_TENANT = 'default'

interface Tenanted {
  readonly tenant: string
}

/** The command line for a verb on a mission; names the tenant unless it is the default. */
export function missionCommand(
  verb: string,
  which: Tenanted & { readonly mission: string },
): string {
  return `waybill mission ${verb} ${which.mission}${tenantFlag(which)}`
}

/** The `--tenant` flag with a leading space; empty for the default tenant. */
export function tenantFlag({ tenant }: Tenanted): string {
  return tenant === DEFAULT_TENANT ? '' : ` --tenant ${shellWord(tenant)}`
}
