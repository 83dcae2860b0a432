import { maskSecrets } from '../../document/index.ts'

/** Fields with the secrets in them masked; one look at all of them together, since hardly any holds one. */
export function maskFields<T extends Readonly<Record<string, string | null>>>(fields: T): T {
  const all = Object.values(fields).join('\n')
  if (maskSecrets(all) === all) return fields
  const masked = Object.entries(fields).map(([key, text]) => [key, text && maskSecrets(text)])
  return Object.fromEntries(masked) as T
}

/** Texts with the secrets in them masked, by one look likewise. */
export function maskTexts(texts: readonly string[]): readonly string[] {
  const all = texts.join('\n')
  return maskSecrets(all) === all ? texts : texts.map(maskSecrets)
}
