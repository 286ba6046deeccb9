import { RunFailure } from '../failure.ts'
import { commandOf, disabled, refusePlaceholders, resultOf } from './command.ts'
import type { Runtime } from './runtime.ts'

/** The task's `container_command` in its `container_image`, run by the operator's program. */
export const container: Runtime = async (work) => {
  const { containers } = work.ports
  if (!containers) throw disabled('container', 'ABODE_CONTAINER_RUNTIME, the path of a program')
  const { container_image: image, container_command } = work.task
  if (!image) {
    const message = 'The task has the runtime "container" and no container_image.'
    throw new RunFailure('container_image_missing', message)
  }
  const command = container_command ?? null
  refusePlaceholders('container', command ?? '')
  const job = { ...(await commandOf(work)), image, command }
  return resultOf('container', work, containers.run(job))
}
