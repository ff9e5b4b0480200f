import { useState } from 'react'
import { z } from 'zod'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { optionLists, listNames, lists } from '#features/admin/lists/contract.ts'
import classes from '#features/admin/lists/web/Lists.module.css'
import { ListsEntries } from '#features/admin/lists/web/ListsEntries.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { Loaded } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { SettingsTabs } from '#web/shell/SettingsTabs.tsx'

const Chosen = z.object({ list: z.enum(listNames).default('statuses') })

/**
 * Page for editing the lists used by lead filters and forms; changes take effect immediately, for all users.
 */
export function ListsPage() {
  const [{ list }, change] = useAddress(Chosen)
  const query = useQuery(queryOptionsFor(optionLists.all))
  const [failure, setFailure] = useState<string>()
  const may = useMay(optionLists.all)
  if (!may)
    return (
      <>
        <PageHeader />
        <NoAccess>Only Super Admins and Admins can manage options.</NoAccess>
      </>
    )
  const choose = (name: typeof list) => {
    setFailure(undefined)
    void change({ list: name })
  }
  return (
    <>
      <PageHeader />
      <SettingsTabs />
      <div className={classes.page}>
        <nav aria-label="Options" className={classes.names}>
          {listNames.map((name) => (
            <button
              key={name}
              type="button"
              aria-current={name === list || undefined}
              onClick={() => choose(name)}
            >
              {lists[name].label}
              <Soft as="span" small>
                {query.data?.data[name]?.length}
              </Soft>
            </button>
          ))}
        </nav>
        <NativeSelect
          className={classes.select}
          aria-label="List"
          value={list}
          data={listNames.map((name) => ({ value: name, label: lists[name].label }))}
          onChange={(event) => choose(event.currentTarget.value as typeof list)}
        />
        <section className={classes.list} aria-label={lists[list].label}>
          <header>
            <h2>{lists[list].label}</h2>
            <Soft as="span" small>
              Drag to reorder.
            </Soft>
          </header>
          <Loaded query={query}>
            {({ data }) => (
              <ListsEntries key={list} list={list} entries={data[list] ?? []} onFailure={setFailure} />
            )}
          </Loaded>
          {failure && (
            <p role="alert" className={classes.failure}>
              {failure}
            </p>
          )}
        </section>
      </div>
    </>
  )
}
