import { agentOperations } from '#src/catalog/agent-pages.ts'
import type { Character } from '#src/agents/character.ts'
import { told, type Terms } from '#protocol/web/ask.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { agentOf, agentView } from '../frame.ts'
import { editScreen } from './edit.ts'
import { keptNote } from './edit-views.ts'
import { asTyped, linesIn, zoneHint, type EditField } from './form.ts'

/** The page on which a person edits who an agent is, and how it thinks. */
export function profileScreen(terms: Terms, id: string): ConsoleScreen {
  return editScreen({
    here: terms.paths.agent(id, ['profile']),
    done: terms.paths.agent(id, [], { done: 'saved' }),
    note: keptNote(terms, id),
    async read(looking) {
      const agent = await agentOf(looking, id)
      return {
        revision: agent.revision,
        fields: fieldsOf(agent),
        framed: (there, main, status) =>
          agentView(there, agent, { part: '', about: 'Edit', main, status }),
      }
    },
    save(looking, changed, expected) {
      const input = { char_id: id, character: patchOf(changed) }
      return told(terms, agentOperations.update, input, { ...looking.as, expected })
    },
  })
}

function fieldsOf(agent: Character): EditField[] {
  const { name, role, tagline, bio, skills, brain, heart } = agent
  const line = (member: string, label: string, value: string | null): EditField => ({
    name: member,
    label,
    kind: 'line',
    value: asTyped(value),
    pointers: [`/character/${member}`],
  })
  return [
    line('name', 'Name', name),
    line('role', 'Role', role),
    line('tagline', 'In one line', tagline),
    { ...line('bio', 'About it', bio), kind: 'text' },
    {
      ...line('skills', 'Skills', skills.join('\n')),
      kind: 'text',
      hint: 'One on each line.',
    },
    {
      ...line('instructions', 'What it is told before each task', null),
      kind: 'text',
      value: asTyped(brain?.system_prompt_override),
      hint: 'Left empty, it is told who it is by its profile.',
      pointers: ['/character/brain/system_prompt_override'],
    },
    {
      ...line('model', 'Model', brain?.llm_model ?? null),
      pointers: ['/character/brain'],
    },
    {
      ...line('timezone', 'Its time zone', heart?.timezone ?? null),
      hint: zoneHint,
      pointers: ['/character/heart'],
    },
  ]
}

/** The members that change; an empty text is none. */
function patchOf(changed: ReadonlyMap<string, string>): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  const brain: Record<string, unknown> = {}
  for (const [name, text] of changed) {
    const value = text.trim() === '' ? null : text
    if (name === 'skills') patch[name] = linesIn(text)
    else if (name === 'instructions') brain['system_prompt_override'] = value
    else if (name === 'model') brain['llm_model'] = value?.trim() ?? null
    else if (name === 'timezone') patch['heart'] = { timezone: value?.trim() ?? null }
    else patch[name] = name === 'name' ? text : value
  }
  return { ...patch, ...(Object.keys(brain).length > 0 && { brain }) }
}
