import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Character } from '#src/agents/character.ts'
import { name } from '#src/views/parts.ts'
import { answered } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { tabs } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { faceOf } from './face.ts'

const parts = [
  ['', 'Overview'],
  ['talk', 'Talk'],
  ['tasks', 'Tasks'],
  ['knowledge', 'Knowledge'],
  ['memory', 'Memory'],
  ['secrets', 'Secrets'],
  ['visibility', 'Visibility'],
] as const
/** A part of an agent that has a page of its own. */
export type AgentPart = (typeof parts)[number][0]

/** The agent with its tasks. @throws Refusal `character_not_found`, `forbidden`, … */
export function agentOf({ terms, as }: Looking, id: string): Promise<Character> {
  return answered(terms, agentOperations.get, { char_id: id }, as)
}

/** What a page about an agent shows. */
export interface AgentView extends Omit<ConsoleView, 'place' | 'title' | 'heading'> {
  /** The part that it is about. */
  part: AgentPart
  /** Its name in the title; by default that of the part. */
  about?: string
}

/** A page about an agent: who it is, and the ways to its parts. */
export function agentView(
  { terms }: Looking,
  agent: Character,
  { part, about, main, ...view }: AgentView,
): ConsoleView {
  const { paths } = terms
  const called = withHiddenShown(agent.name.slice(0, 80))
  const words = about ?? parts.find(([one]) => one === part)?.[1] ?? ''
  return {
    ...view,
    title: part === '' ? called : `${words} of ${called}`,
    heading: html`<span class="with-face">${faceOf(terms, agent)}${name(agent.name)}</span>`,
    main: html`${tabs(
      parts.map(([one, label]) => ({
        href: paths.agent(agent.id, one === '' ? [] : [one]),
        label,
        isHere: one === part,
      })),
      'Parts of this agent',
    )}
    ${main}`,
    place: 'agents',
  }
}
