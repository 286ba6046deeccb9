import type { StoredCharacter } from '#src/agents/character.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** A tool that a run may use, as its task or its agent's brain names it. */
export interface BriefedTool {
  name: string
  type: string
  url: string | null
  /** The task cannot do without it. */
  required?: true
}

/**
 * The system prompt of a run's brain: the agent's override if it has one, otherwise its profile in
 * words. Never a secret, never another agent's text.
 */
export function systemPrompt(character: StoredCharacter): string {
  const { name, full_name, role, tagline, bio, personality, skills, knowledge_domains } = character
  const override = character.brain?.system_prompt_override
  if (override) return override
  const lines = [
    `You are ${full_name ?? name}${role ? `, ${role}` : ''}.`,
    tagline,
    bio,
    skills.length > 0 ? `Your skills: ${skills.join(', ')}.` : null,
    knowledge_domains.length > 0 ? `You know about: ${knowledge_domains.join(', ')}.` : null,
    personality && describe(personality),
  ]
  return lines.filter(Boolean).join('\n')
}

function describe(personality: NonNullable<StoredCharacter['personality']>): string {
  const { traits, communication_style, humor, energy, temperament } = personality
  const said = [
    traits.length > 0 ? `Traits: ${traits.join(', ')}.` : null,
    communication_style ? `Communication style: ${communication_style}.` : null,
    humor ? `Humor: ${humor}.` : null,
    energy ? `Energy: ${energy}.` : null,
    temperament ? `Temperament: ${temperament}.` : null,
  ]
  return said.filter(Boolean).join(' ')
}

/** The enabled tools of the task, and the enabled MCP servers of the agent, without environments. */
export function briefedTools(character: StoredCharacter, task: StoredTask): BriefedTool[] {
  const own = task.tools.filter((tool) => tool.enabled)
  const servers = character.brain?.mcps.filter((server) => server.enabled) ?? []
  const urls = character.brain?.custom_mcp_urls ?? []
  return [
    ...own.map(({ name, type, config, required }) => ({
      name,
      type,
      url: typeof config.url === 'string' ? config.url : null,
      ...(required === true && { required }),
    })),
    ...servers.map(({ name, url }) => ({ name, type: 'mcp', url: url ?? null })),
    ...urls.map((url) => ({ name: url, type: 'mcp', url })),
  ]
}
