import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Kbd } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { customerView } from '#features/crm/customer-view/contract.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import { CallTimer } from '#features/crm/customer-view/web/CallTimer.tsx'
import { CallerTickets } from '#features/crm/customer-view/web/CallerTickets.tsx'
import { Hits, RecentCustomers } from '#features/crm/customer-view/web/Hits.tsx'
import { RecentCalls } from '#features/crm/customer-view/web/RecentCalls.tsx'
import { useCall } from '#features/crm/customer-view/web/useCall.ts'
import {
  useCustomerAddress,
  type CustomerAddress,
} from '#features/crm/customer-view/web/useCustomerAddress.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { moveThroughHits } from '#web/keys/moveThroughHits.ts'
import { EmptyState, Loaded, LoadingState } from '#web/list/states.tsx'
import { TextButton } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PanesHead, PanesPage } from '#web/sheet/PanesPage.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const Customer = lazyPart(() => import('#features/crm/customer-view/web/Customer.tsx'))

const fewestLetters = 2

/**
 * Page for looking up a customer by name, email address, or number during a phone call: the search with its
 * results on the left, the chosen customer on the right. Both are in the URL.
 */
export function CustomerViewPage() {
  const address = useCustomerAddress()
  const { q, organization, user, change } = address
  const may = useMay(customerView.search)
  const found = useQuery({
    ...queryOptionsFor(customerView.search, { query: { q } }),
    enabled: may && q.length >= fewestLetters,
  })
  const { hits, enter } = useEnteredSearch(q, found.data !== undefined && !found.isPlaceholderData)
  const isOpen = organization !== undefined
  // On a phone, a new search shows its results in place of the customer who was open.
  const [searchedBeside, setSearchedBeside] = useState<string>()
  const isCovered = searchedBeside === `${organization} ${user}`
  return (
    <PanesPage isOpen={isOpen && !isCovered}>
      <PanesHead>
        <PageHeader>
          <span className={classes.anywhere}>
            Opens from anywhere with <Kbd size="xs">G</Kbd> <Kbd size="xs">V</Kbd>
          </span>
        </PageHeader>
      </PanesHead>
      <div className={classes.panes}>
        <section
          className={classes.find}
          aria-label="Search"
          onKeyDown={(event) => moveThroughHits(event, enter)}
        >
          <div className={classes.ask}>
            <SearchBox
              label="Search customers"
              placeholder="Name, email, or phone"
              autoFocus={!isOpen}
              value={q}
              onSearch={(typed) => {
                enter(undefined)
                setSearchedBeside(`${organization} ${user}`)
                void change({ q: typed }, { replace: true })
              }}
            />
          </div>
          <div ref={hits} className={classes.hits}>
            {q.length < fewestLetters ? (
              <>
                <p className={classes.hint}>Type at least two characters.</p>
                <RecentCustomers address={address} />
              </>
            ) : (
              <Loaded
                query={found}
                what="Search results"
                skeleton={<LoadingState rows={2} text="Searching…" />}
              >
                {({ data }) => (
                  <>
                    <Hits hits={data} address={address} onOpen={() => setSearchedBeside(undefined)} />
                    <CallerTickets q={q} />
                  </>
                )}
              </Loaded>
            )}
            <RecentCalls address={address} />
          </div>
          <p className={classes.keys}>↑ ↓ choose · Enter open · / search</p>
        </section>
        <section className={classes.glance} aria-label="Customer">
          <OpenCustomer address={address} />
        </section>
      </div>
    </PanesPage>
  )
}

/** The customer whose address is open. */
function OpenCustomer({ address }: { address: CustomerAddress }) {
  const { organization, user, change } = address
  const call = useCall()
  if (organization === undefined)
    return (
      <div className={classes.middle}>
        <EmptyState
          title="No customer open"
          action={<CallTimer {...call} organization={undefined} user={undefined} />}
        >
          Search by name, email address, or any part of a phone number.
        </EmptyState>
      </div>
    )
  return (
    <>
      <div className={classes.back}>
        <TextButton
          icon={<IconArrowLeft size={14} aria-hidden />}
          onClick={() => void change({ organization: undefined, user: undefined })}
        >
          Back to results
        </TextButton>
      </div>
      <Suspense fallback={<LoadingState />}>
        <Customer key={`${organization} ${user}`} id={organization} user={user} address={address} />
      </Suspense>
    </>
  )
}

/**
 * Opens the first result of the text for which Enter was pressed, once it is there: until then, the page shows
 * the results of an earlier text.
 */
function useEnteredSearch(q: string, isFound: boolean) {
  const hits = useRef<HTMLDivElement>(null)
  const entered = useRef<string>(undefined)
  function openIfFound(text: string, isThere: boolean): void {
    if (!isThere || entered.current !== text) return
    entered.current = undefined
    hits.current?.querySelector<HTMLElement>('[data-hit]')?.click()
  }
  const openFound = useEffectEvent(openIfFound)
  useEffect(() => openFound(q, isFound), [q, isFound])
  function enter(text: string | undefined): void {
    entered.current = text
    openIfFound(q, isFound)
  }
  return { hits, enter }
}
