import { agentOperations } from '#src/catalog/agent-pages.ts'
import { Visibility } from '#src/agents/visibility/visibility.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { facts, name } from '#src/views/parts.ts'
import { answered, told, type Terms } from '#protocol/web/ask.ts'
import { part } from '#protocol/web/console/parts.ts'
import { MarketPaths } from '#protocol/web/market/paths.ts'
import type { Looking } from '#protocol/web/console/reader.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { agentOf, agentView } from '../frame.ts'
import { editScreen } from './edit.ts'
import { keptNote } from './edit-views.ts'
import { asTyped, linesIn, type EditField } from './form.ts'

/** The page on which a person edits what others see of an agent, with how that looks now. */
export function visibilityScreen(terms: Terms, id: string): ConsoleScreen {
  return editScreen({
    here: terms.paths.agent(id, ['visibility']),
    done: terms.paths.agent(id, ['visibility'], { done: 'saved' }),
    note: keptNote(terms, id),
    async read(looking) {
      const agent = await agentOf(looking, id)
      const visibility = agent.visibility ?? Visibility.parse({})
      const seen =
        visibility.profile_visibility === 'private' ? undefined : await seenBy(looking, id)
      return {
        revision: agent.revision,
        fields: fieldsOf(visibility),
        framed: (there, main, status) =>
          agentView(there, agent, {
            part: 'visibility',
            main: html`${main} ${seen}`,
            status,
          }),
      }
    },
    save(looking, changed, expected) {
      const input = { char_id: id, visibility: patchOf(changed) }
      const { update } = agentOperations.visibility
      return told(terms, update, input, { ...looking.as, expected })
    },
  })
}

/** The agent as everyone sees it. */
async function seenBy({ terms, as }: Looking, id: string): Promise<Html> {
  const profile = await answered(terms, agentOperations.visibility.seen, { char_id: id }, as)
  const { links: _links, created_at: _since, avatar_url: _picture, ...shown } = profile
  const link = html`<a href="${new MarketPaths(terms.paths).agent(id)}">The page that they see</a>`
  const members = Object.entries(shown).flatMap(([member, value]): [string, Html][] => {
    const text = Array.isArray(value) ? value.join(', ') : value
    const label = member.slice(0, 1).toUpperCase() + member.slice(1).replaceAll('_', ' ')
    return typeof text === 'string' && text !== '' ? [[label, name(text, 600)]] : []
  })
  const card = html`<div class="card">${facts(members)}</div>`
  return part('As everyone sees it now', 'seen', card, link)
}

const yesOrNo = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const

const levels = [
  ['private', 'this account alone'],
  ['friends', 'its friends'],
  ['public_paid', 'who pays for it'],
  ['public', 'everyone'],
] as const

const sections = ['role', 'tagline', 'bio', 'skills', 'tools', 'knowledge_domains', 'personality']

function fieldsOf(visibility: Visibility): EditField[] {
  const { ability_access: access } = visibility
  const of = (member: string, rest: Pick<EditField, 'label' | 'kind' | 'value' | 'hint'>) => ({
    name: member,
    pointers: [`/visibility/${member}`],
    ...rest,
  })
  const answer = (is: boolean): string => (is ? 'yes' : 'no')
  const ability = (name: string, label: string, value: string | undefined): EditField => ({
    name,
    label,
    kind:
      name === 'chat' ? [levels[0], ['members', 'agents of its team'], ...levels.slice(1)] : levels,
    value: value ?? 'private',
    pointers: [`/visibility/ability_access/${name}`],
  })
  return [
    of('profile_visibility', {
      label: 'Who finds it',
      kind: [
        ['private', 'this account alone'],
        ['unlisted', 'all who know its address'],
        ['public', 'everyone'],
      ],
      value: visibility.profile_visibility,
    }),
    of('show_in_directory', {
      label: 'In the directory',
      kind: yesOrNo,
      value: answer(visibility.show_in_directory),
    }),
    of('public_bio', {
      label: 'What others read about it',
      kind: 'text',
      value: asTyped(visibility.public_bio),
    }),
    of('public_sections', {
      label: 'Parts of its profile that others see',
      kind: 'text',
      hint: `One on each line, of ${sections.join(', ')}.`,
      value: visibility.public_sections.join('\n'),
    }),
    ability('feed', 'Who reads what it posts', access?.feed),
    ability('chat', 'Who may write to it', access?.chat),
    ability('friends', 'Who sees its friends, and may ask to be one', access?.friends),
    ability('memory', 'Who reads what it remembers', access?.memory),
    of('allow_cloning', {
      label: 'Others may copy it',
      kind: yesOrNo,
      value: answer(visibility.allow_cloning),
    }),
    of('show_owner_profile', {
      label: 'Others see whose it is',
      kind: yesOrNo,
      value: answer(visibility.show_owner_profile),
    }),
  ]
}

const abilities: ReadonlySet<string> = new Set(['feed', 'chat', 'friends', 'memory'])
const switches: ReadonlySet<string> = new Set([
  'show_in_directory',
  'allow_cloning',
  'show_owner_profile',
])

function patchOf(changed: ReadonlyMap<string, string>): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  const access: Record<string, string> = {}
  for (const [name, text] of changed) {
    if (abilities.has(name)) access[name] = text
    else if (switches.has(name)) patch[name] = text === 'yes'
    else if (name === 'public_sections') patch[name] = linesIn(text)
    else if (name === 'public_bio') patch[name] = text.trim() === '' ? null : text
    else patch[name] = text
  }
  return { ...patch, ...(Object.keys(access).length > 0 && { ability_access: access }) }
}
