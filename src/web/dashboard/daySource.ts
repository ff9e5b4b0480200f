import type { ReactNode } from 'react'
import type { Icon } from '@tabler/icons-react'
import type { PlainDate } from '#shared/dates.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Product } from '#shared/products.ts'
import { isAllowed, type ReadEndpoint } from '#web/api/client.ts'
import { queryTogether } from '#web/api/together.ts'
import type { InputArgument } from '#web/api/types.ts'
import type { Person } from '#web/session.ts'

/*
 * What waits for the viewer, by area. Each feature declares its own items; app/browser/DashboardPage.tsx lists
 * them, and the card My day shows them in one list.
 */

/** A day by which something is due (null if none is set), a moment at which it begins, or since when it waits. */
export type When = { day: PlainDate | null } | { at: string } | { since: string }

export interface DayItem {
  /** Unique among all items, such as `quick task 12`. */
  key: string
  title: string
  detail: string
  when: When
  /** Page that the item opens. */
  to?: string | undefined
  /** Search parameters that open the item on this page instead. */
  opens?: Record<string, unknown>
  /** The dialog that the item opens instead. */
  dialog?: (onClose: () => void) => ReactNode
  /** `DayDone` and `DaySnooze`. */
  actions?: ReactNode
}

/** For whom, and on which day, items are asked for. */
export interface Asking {
  viewer: Person
  today: PlainDate
  products: readonly Product[]
}

export interface DayPart {
  items: readonly DayItem[]
  /** Number of all items, of which the first ones are in `items`. */
  total: number
}

interface Declared<E extends ReadEndpoint> {
  /** Name at the start of a sentence, such as `Quick tasks`. */
  name: string
  icon: Icon
  endpoint: E
  input: (asking: Asking) => InputArgument<E>
  read: (reply: Reply<E>, asking: Asking) => DayPart
  /** Limits the items to some viewers; by default, everyone who is allowed to make the request sees them. */
  mayShow?: (viewer: Person) => boolean
  /** Page with all items. */
  all?: (viewer: Person) => string | undefined
}

export interface DaySource extends Pick<Declared<ReadEndpoint>, 'name' | 'icon' | 'all'> {
  /** Returns the query for the items; undefined if the viewer can't see them. */
  queryFor: (asking: Asking) => ReturnType<typeof queryTogether> | undefined
  read: (reply: unknown, asking: Asking) => DayPart
}

/** Declares what waits for the viewer in one area. */
export function daySource<E extends ReadEndpoint>(declared: Declared<E>): DaySource {
  const { endpoint, input, read, mayShow, ...rest } = declared
  return {
    ...rest,
    read: (reply, asking) => read(reply as Reply<E>, asking),
    queryFor(asking) {
      const sent = input(asking)
      const { viewer } = asking
      if (!isAllowed(endpoint, (sent as unknown[])[0], viewer) || mayShow?.(viewer) === false)
        return undefined
      return queryTogether(endpoint, ...sent)
    },
  }
}
