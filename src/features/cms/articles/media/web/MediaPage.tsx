import { Suspense, useState } from 'react'
import { Checkbox } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { media, MediaFilters, type Medium } from '#features/cms/articles/media/contract.ts'
import { MediaUpload } from '#features/cms/articles/media/web/MediaUpload.tsx'
import classes from '#features/cms/articles/media/web/media.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { toAddress } from '#web/list/address/fromAddress.ts'
import { Pager } from '#web/list/Pager.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { EmptyState, ErrorState } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { useProduct } from '#web/session.ts'
import { Select } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

const DeleteMedia = lazyPart(() => import('#features/cms/articles/media/web/DeleteMedia.tsx'), 'DeleteMedia')
const MediaDialog = lazyPart(() => import('#features/cms/articles/media/web/MediaDialog.tsx'), 'MediaDialog')

/** Refetch interval, because image URLs expire after five minutes. */
const freshMs = 200_000

const none: ReadonlyMap<number, string> = new Map()

/** Page with the media library. */
export function MediaPage() {
  const product_id = useProduct()
  const [filters, filterBy] = useAddress(MediaFilters)
  const [open, setOpen] = useState<number>()
  const may = useMay(media.list)
  const query = { ...toAddress(MediaFilters, filters), ...(product_id === undefined ? {} : { product_id }) }
  const { data, error, refetch, isLoading } = useQuery({
    ...queryOptionsFor(media.list, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: freshMs,
  })
  const mayRemove = useMay(media.remove, { body: { ids: [1] } })
  const { ticked, tick, clear } = useTicked(JSON.stringify(query))
  if (!may) return <PageHeader />
  const shown = data?.data.find(({ id }) => id === open)
  return (
    <>
      <PageHeader />
      {product_id !== undefined && <MediaUpload key={product_id} product_id={product_id} />}
      <section className={classes.bar} aria-label="Filters" style={{ marginTop: 12 }}>
        <SearchBox
          label="Search images"
          value={filters.search}
          onSearch={(search) => void filterBy({ search }, { replace: true })}
        />
        <Select
          label="Show"
          value={filters.show ?? ''}
          options={[
            ['', 'All images'],
            ['unused', 'Unused'],
            ['without-alt', 'Without alt text'],
          ]}
          onChoose={(show) =>
            void filterBy({ show: show === 'unused' || show === 'without-alt' ? show : undefined })
          }
        />
        <Suspense>{mayRemove && ticked.size > 0 && <DeleteMedia names={ticked} onDone={clear} />}</Suspense>
      </section>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : isLoading ? (
        <p role="status">Loading…</p>
      ) : data?.data.length === 0 ? (
        <EmptyState title={filters.search || filters.show ? 'No results' : 'No images yet'}>
          {filters.search || filters.show
            ? 'No images match your filters.'
            : 'Upload your first image above.'}
        </EmptyState>
      ) : (
        <ul className={classes.grid} aria-label="Images">
          {data?.data.map((medium) => (
            <Tile
              key={medium.id}
              medium={medium}
              isTicked={ticked.has(medium.id)}
              onOpen={() => setOpen(medium.id)}
              onTick={mayRemove ? () => tick(medium) : undefined}
            />
          ))}
        </ul>
      )}
      <Pager
        total={data?.total}
        perPage={data?.per_page}
        page={filters.page}
        onPage={(page) => filterBy({ page })}
      />
      <Suspense>
        {shown && <MediaDialog key={shown.id} medium={shown} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}

/** Selection of images; changing what is shown clears it, so that only visible images can be deleted. */
function useTicked(shownBy: string) {
  // Stores the names, because the delete confirmation lists them.
  const [ticked, setTicked] = useState<ReadonlyMap<number, string>>(none)
  const [tickedUnder, setTickedUnder] = useState(shownBy)
  if (tickedUnder !== shownBy) {
    setTickedUnder(shownBy)
    setTicked(none)
  }
  const tick = ({ id, file }: Medium) => {
    const next = new Map(ticked)
    if (!next.delete(id)) next.set(id, file.name)
    setTicked(next)
  }
  return { ticked, tick, clear: () => setTicked(none) }
}

interface TileProps {
  medium: Medium
  isTicked: boolean
  onOpen: () => void
  /** Absent if the viewer can't delete images. */
  onTick: (() => void) | undefined
}

function Tile({ medium, isTicked, onOpen, onTick }: TileProps) {
  return (
    <li className={classes.tile} data-ticked={isTicked || undefined}>
      <button
        type="button"
        className={classes.picture}
        aria-label={`Open ${medium.file.name}`}
        onClick={onOpen}
      >
        <img src={medium.file.small_url ?? medium.file.url} alt={medium.alt} loading="lazy" />
      </button>
      <span className={classes.name} title={medium.file.name}>
        {medium.file.name}
      </span>
      <span className={classes.soft}>{aboutOf(medium)}</span>
      {onTick && (
        <Checkbox
          size="xs"
          label="Select"
          aria-label={`Select ${medium.file.name}`}
          checked={isTicked}
          onChange={onTick}
        />
      )}
    </li>
  )
}

const aboutOf = ({ file, places }: Medium) =>
  `${sizeInWords(file.bytes)} · ${places.length === 0 ? 'unused' : `used ${places.length === 1 ? 'once' : `${places.length} times`}`}`
