import { readGuide } from './guide-files.ts'
import {
  guideOf,
  guidesOf,
  servedMarkdown,
  type Guide,
  type GuidedServer,
} from '#src/documents/guides/guides.ts'
import type { DoorName } from '#src/documents/guides/call-lines.ts'
import type { Ports } from '#src/core/context.ts'

/** The skill page of the Commons. */
export async function skillOfCommons({ catalog, settings }: Pick<Ports, 'catalog' | 'settings'>) {
  const { commonsSkill } = await import('#src/documents/commons-skill.ts')
  return commonsSkill(catalog, settings)
}

/** A guide as Markdown, with the address of this server in its calls. */
export async function guideText(name: string, server: GuidedServer): Promise<string> {
  return servedMarkdown(await readGuide(name), server)
}

/** All guides, in order. */
export function readGuides(server: GuidedServer): Promise<Guide[]> {
  return Promise.all(guidesOf(server).map(async (name) => guideOf(name, await readGuide(name))))
}

/** The skill page of the service, for one door or all. */
export async function skillOfPlatform(
  { catalog, settings }: Pick<Ports, 'catalog' | 'settings'>,
  door?: DoorName,
): Promise<string> {
  const { platformSkill } = await import('#src/documents/guides/platform-skill.ts')
  return platformSkill(catalog, settings, door)
}
