import * as z from 'zod'
import { HeartInput, tasksAtMost } from '#src/agents/heart.ts'
import { TaskInput } from '#src/agents/tasks/task.ts'
import { noticesAtMost } from '#src/agents/tasks/notices.ts'
import { checkedSteps, type Checked, type Split } from '#src/core/input/check.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import { AgentSpec, agentsAtMost, Manifest } from './manifest.ts'

const anyItems = z.array(z.unknown())

/** The schema of a manifest, whose agents and their tasks are checked one by one. */
const split: Split = {
  schema: Manifest.extend({ agents: anyItems.min(1).max(agentsAtMost) }),
  list: ['agents'],
  item: {
    // Which tasks have the same id is found with the references.
    schema: AgentSpec.extend({
      heart: HeartInput.extend({ tasks: anyItems.max(tasksAtMost).default([]) })
        .nullable()
        .default(null),
    }),
    list: ['heart', 'tasks'],
    item: TaskInput,
  },
}

/** Up to so many members and items every fault is found; beyond that, only the first of each part. */
const fullyCheckedNodes = 20_000

/** A manifest by its schema alone. */
export type ParsedManifest = Checked<Manifest>

/** Checks a manifest by its schema alone. */
export function parseSteps(raw: unknown): Steps<ParsedManifest> {
  return checkedSteps<Manifest>(split, raw, noticesAtMost, fullyCheckedNodes)
}
