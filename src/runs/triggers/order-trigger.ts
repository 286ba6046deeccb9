/** The type of the trigger of runs that were ordered. */
export const orderTrigger = 'order'
