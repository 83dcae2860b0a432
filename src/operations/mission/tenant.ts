import { DEFAULT_TENANT } from '../../contract/index.ts'

/** The input by which every verb says whose mission it means. */
export const TENANT_INPUT = {
  type: 'string',
  placeholder: 'name',
  description: `Whose mission it is (default: ${DEFAULT_TENANT}).`,
} as const

/** The tenant that is meant. */
export function tenantOf({ tenant }: { readonly tenant?: string | undefined }): string {
  return tenant ?? DEFAULT_TENANT
}
