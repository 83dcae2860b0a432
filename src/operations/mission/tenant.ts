import { DEFAULT_TENANT } from '../../contract/index.ts'

/** The input that names a tenant. */
export const TENANT_INPUT = {
  type: 'string',
  placeholder: 'name',
  description: `The tenant of the mission (default: ${DEFAULT_TENANT}).`,
} as const

/** Returns the tenant of an input. */
export function tenantOf({ tenant }: { readonly tenant?: string | undefined }): string {
  return tenant ?? DEFAULT_TENANT
}
