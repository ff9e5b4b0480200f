import { slugOf } from '#web/slug.ts'

export const userParents = [['/users', 'Users']] as const

/** Returns the URL of a user's page. */
export const userAddress = ({ id, name }: { id: number; name: string }) =>
  `/users/detail/${slugOf(name)}/${id}`
