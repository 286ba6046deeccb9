import type { StoredCharacter } from '#src/agents/character.ts'
import { memberAt } from '#src/core/maps.ts'
import { newFence, shortened } from '#src/core/text/fence.ts'
import { jsonSchemaOf } from './fit.ts'
import { fieldNames, schemaOf, type FieldName, type SectionName, type Subject } from './subject.ts'

/** The instructions for the writer: who it is to be, and what to do. */
export interface Wording {
  system: string
  prompt: string
}

const profileCharactersAtMost = 40_000

/** The meaning of each member, for the writer. */
const meanings: Readonly<Record<FieldName, string>> = {
  name: 'what it is called, in one to three words',
  full_name: 'its whole name',
  role: 'what it does, in a few words',
  tagline: 'one short sentence that says what it is there for',
  bio: 'who it is, what it does and how, in one to three short paragraphs',
  skills: 'three to eight things that it can do, each a short phrase',
  tools: 'what it works with: kinds of programs and services, each a short phrase',
  knowledge_domains: 'two to eight fields that it knows about, each a short phrase',
  personality: 'how it comes across',
  'personality.traits': 'three to seven traits, one or two words each',
  'personality.communication_style': 'how it speaks and writes, in one sentence',
  'personality.humor': 'what its humour is like, in a few words',
  'personality.energy': 'how lively it is, in a few words',
  'personality.temperament': 'how it takes things, in a few words',
  appearance: 'how it looks; avatar_prompt tells a model that draws what to draw',
  'appearance.age_range': 'how old it looks, as "30-40"',
  'appearance.gender': 'the gender that it shows, in one or two words',
  'appearance.ethnicity': 'the ethnicity that it shows, in a few words',
  'appearance.build': 'its build, in a few words',
  'appearance.hair': 'its hair, in a few words',
  'appearance.facial_hair': 'its facial hair, or "none"',
  'appearance.eyes': 'its eyes, in a few words',
  'appearance.style': 'how it dresses, in a few words',
  'appearance.avatar_prompt': 'what a model that draws is told for its portrait, in one paragraph',
  'appearance.accessories': 'one to five things that it wears or carries',
  'brain.system_prompt_override':
    'the whole system prompt of the model that is to be this agent, which speaks to it as "you"',
  'visibility.public_bio': 'who it is, for strangers, in one short paragraph',
}

const rules =
  "You write one part of an agent's profile, for the owner of the agent, who then decides whether " +
  'to take it. Answer with the JSON that is asked for, and with nothing before or after it. Write ' +
  'in the language of the profile, stay with what it says, and let what you write go together ' +
  'with the rest.'

/**
 * The task of writing a subject, with the profile as material.
 * @param schema the JSON Schema of the answer
 */
export function wordingOf(
  character: StoredCharacter,
  subject: Subject,
  schema: Record<string, unknown>,
): Wording {
  const fence = newFence()
  const profile = shortened(JSON.stringify(profileOf(character), null, 1), profileCharactersAtMost)
  const parts = [
    asked(subject),
    fence.around("the agent's profile as it is", profile),
    `Answer with JSON of this JSON Schema: ${JSON.stringify(schema)}`,
  ]
  return { system: `${rules}\n\n${fence.rule}`, prompt: parts.join('\n\n') }
}

/** The instructions for an agent that leases the run; it completes the run with the value itself. */
export function leasedWording(character: StoredCharacter, subject: Subject): Wording {
  return wordingOf(character, subject, jsonSchemaOf(schemaOf(subject)))
}

function asked(subject: Subject): string {
  if ('field' in subject) {
    return `Write the member "${subject.field}" of the profile: ${meanings[subject.field]}.`
  }
  const { section } = subject
  return `Write the section "${section}" of the profile, every member of it: ${sectionMeaning(section)}.`
}

function sectionMeaning(section: SectionName): string {
  const inside = Object.entries(meanings).filter(([name]) => name.startsWith(`${section}.`))
  const members = inside.map(([name, meaning]) => `${name.slice(section.length + 1)}: ${meaning}`)
  return [meanings[section], ...members].join('; ')
}

/** The written members, by name: none that could hold a secret, and none of the platform. */
function profileOf(character: StoredCharacter): Record<string, unknown> {
  const said = fieldNames
    .filter((name) => name !== 'personality' && name !== 'appearance')
    .map((name) => [name, memberAt(character, name)] as const)
  return Object.fromEntries(said.filter(([, value]) => saysSomething(value)))
}

function saysSomething(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value != null && value !== ''
}
