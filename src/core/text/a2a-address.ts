import * as z from 'zod'

/** The path of a card below the address of its door. */
export const cardPath = '.well-known/agent-card.json'

/**
 * The address of a door of A2A, as it is handed out: with a final slash, so that the card is found relative
 * to it. The door answers without one too.
 */
export function doorAddress(publicUrl: string, path: string): string {
  return `${publicUrl}${path}/`
}

/** The path of a hosted agent's own door. */
export function agentDoorPath(charId: string): string {
  return `/a2a/${charId}`
}

export const AgentDoor = z.object({
  a2a: z.string().describe('Its A2A door; ability_access.chat says who may speak to it.'),
  card: z.string().describe('The A2A card of that door.'),
})
/** Where a hosted agent is spoken to. */
export type AgentDoor = z.infer<typeof AgentDoor>

/** The door of a hosted agent, and its card. */
export function agentDoor(publicUrl: string, charId: string): AgentDoor {
  const a2a = doorAddress(publicUrl, agentDoorPath(charId))
  return { a2a, card: a2a + cardPath }
}
