import * as z from 'zod'
import { Appearance, Personality } from '#src/agents/appearance.ts'
import { Brain } from '#src/agents/brain.ts'
import { characterMembers } from '#src/agents/character.ts'
import { Visibility } from '#src/agents/visibility/visibility.ts'
import { writtenAs } from './fit.ts'

const plain = [
  'name',
  'full_name',
  'role',
  'tagline',
  'bio',
  'skills',
  'tools',
  'knowledge_domains',
] as const
const ofPersonality = ['traits', 'communication_style', 'humor', 'energy', 'temperament'] as const
/** Members of an appearance that are texts: photos and their seeds are made elsewhere. */
const ofAppearance = [
  'age_range',
  'gender',
  'ethnicity',
  'build',
  'hair',
  'facial_hair',
  'eyes',
  'style',
  'avatar_prompt',
  'accessories',
] as const

/** Every member of a profile that can be generated; nested ones with a dot. */
export const fieldNames = [
  ...plain,
  'personality',
  ...ofPersonality.map((name) => `personality.${name}` as const),
  'appearance',
  ...ofAppearance.map((name) => `appearance.${name}` as const),
  'brain.system_prompt_override',
  'visibility.public_bio',
] as const
/** The name of a member of a profile that can be generated. */
export type FieldName = (typeof fieldNames)[number]

/** The sections that can be generated: the members that a profile may show in public. */
export const sectionNames = [
  'role',
  'tagline',
  'bio',
  'skills',
  'tools',
  'knowledge_domains',
  'personality',
  'appearance',
] as const
/** The name of a section of a profile that can be generated. */
export type SectionName = (typeof sectionNames)[number]

export const Subject = z.union([
  z.strictObject({ field: z.enum(fieldNames) }),
  z.strictObject({ section: z.enum(sectionNames) }),
])
/** What is to be generated: one member, or a section with all of its members. */
export type Subject = z.infer<typeof Subject>

const personality = z.strictObject(allOf(Personality.shape, ofPersonality))
const appearance = z.strictObject(allOf(Appearance.shape, ofAppearance))

/** The schema for each member: its own, and not empty. */
const schemas: Readonly<Record<FieldName, z.ZodType>> = {
  ...allOf(characterMembers, plain),
  personality,
  ...dotted('personality', personality.shape),
  appearance,
  ...dotted('appearance', appearance.shape),
  'brain.system_prompt_override': writtenAs(Brain.shape.system_prompt_override),
  'visibility.public_bio': writtenAs(Visibility.shape.public_bio),
}

const sections: Readonly<Partial<Record<SectionName, z.ZodType>>> = { personality, appearance }

/** The schema for a subject: the value of a field, or the values of a section by name. */
export function schemaOf(subject: Subject): z.ZodType {
  if ('field' in subject) return schemas[subject.field]
  const { section } = subject
  return sections[section] ?? z.strictObject({ [section]: schemas[section] })
}

/** The answer for a generated subject; nothing of it is in the profile yet. */
export function answerOf(subject: Subject, value: unknown) {
  return 'field' in subject
    ? { field: subject.field, value, applied: false as const }
    : { section: subject.section, values: value }
}

function allOf<N extends string>(
  shape: Readonly<Record<N, z.core.$ZodType>>,
  names: readonly N[],
): Record<N, z.ZodType> {
  const all = names.map((name) => [name, writtenAs(shape[name])] as const)
  // Of exactly these names.
  return Object.fromEntries(all) as Record<N, z.ZodType>
}

function dotted<P extends string, N extends string>(
  prefix: P,
  shape: Readonly<Record<N, z.ZodType>>,
): Record<`${P}.${N}`, z.ZodType> {
  const all = Object.entries<z.ZodType>(shape).map(([name, schema]) => [
    `${prefix}.${name}`,
    schema,
  ])
  // The same names with the prefix before each.
  return Object.fromEntries(all) as Record<`${P}.${N}`, z.ZodType>
}
