/** Whose missions are meant, where nobody says. */
const TENANT = 'default'

/** The input by which every verb says whose mission it means. */
export const TENANT_INPUT = {
  type: 'string',
  placeholder: 'name',
  description: `Whose mission it is (default: ${TENANT}).`,
} as const

/** The tenant that is meant. */
export function tenantOf({ tenant }: { readonly tenant?: string | undefined }): string {
  return tenant ?? TENANT
}
