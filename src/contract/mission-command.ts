import { shellWord } from './wording.ts'

/** Whose missions are meant where nobody says. */
export const DEFAULT_TENANT = 'default'

interface Tenanted {
  readonly tenant: string
}

/** A verb for a mission as it is typed, with the tenant where that has to be named. */
export function missionCommand(
  verb: string,
  which: Tenanted & { readonly mission: string },
): string {
  return `waybill mission ${verb} ${which.mission}${tenantFlag(which)}`
}

/** What names the tenant behind a verb; nothing where it is meant anyway. */
export function tenantFlag({ tenant }: Tenanted): string {
  return tenant === DEFAULT_TENANT ? '' : ` --tenant ${shellWord(tenant)}`
}
