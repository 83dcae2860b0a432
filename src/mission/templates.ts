import type { Missions } from './config.ts'
import type { TemplateFolder } from './plan/read-definition.ts'

/** Where the templates of a repository stand. */
export function templateFolder(root: string, { templates }: Missions): TemplateFolder {
  return { root, folder: templates ?? 'missions/templates' }
}
