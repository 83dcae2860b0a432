import { maskSecrets } from '../../document/index.ts'

/** Masks secrets in fields; scans them together first, because most have none. */
export function maskFields<T extends Readonly<Record<string, string | null>>>(fields: T): T {
  const all = Object.values(fields).join('\n')
  if (maskSecrets(all) === all) return fields
  const masked = Object.entries(fields).map(([key, text]) => [key, text && maskSecrets(text)])
  return Object.fromEntries(masked) as T
}

/** Masks secrets in texts; scans them together first. */
export function maskTexts(texts: readonly string[]): readonly string[] {
  const all = texts.join('\n')
  return maskSecrets(all) === all ? texts : texts.map(maskSecrets)
}
