import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { media, MediaFilters, mediaPerPage, type Medium } from '#features/cms/articles/media/contract.ts'
import classes from '#features/cms/articles/media/web/media.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { toAddress } from '#web/list/address/fromAddress.ts'
import { Pager } from '#web/list/Pager.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { ErrorState } from '#web/list/states.tsx'
import { useProduct } from '#web/session.ts'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Grid of the product's media library, for choosing an image. */
export function MediaGrid({ onChoose }: { onChoose: (medium: Medium) => void }) {
  const product_id = useProduct()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const query = {
    ...toAddress(MediaFilters, { page, limit: mediaPerPage, search }),
    ...(product_id === undefined ? {} : { product_id }),
  }
  const { data, error, refetch } = useQuery({
    ...queryOptionsFor(media.list, { query }),
    placeholderData: keepPreviousData,
  })
  if (!useMay(media.list)) return <NoAccess to="the media library">Ask an Admin for access.</NoAccess>
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <div className={classes.bar} style={{ marginTop: 12 }}>
        <SearchBox
          label="Search images"
          value={search}
          onSearch={(words) => {
            setSearch(words)
            setPage(1)
          }}
        />
      </div>
      {data?.data.length === 0 && <Soft>{search === '' ? 'No images yet.' : 'No images found.'}</Soft>}
      <ul className={`${classes.grid} ${classes.choice}`} aria-label="Library">
        {data?.data.map((medium) => (
          <li key={medium.id} className={classes.tile}>
            <button
              type="button"
              className={classes.picture}
              aria-label={`Choose ${medium.file.name}`}
              onClick={() => onChoose(medium)}
            >
              <img src={medium.file.small_url ?? medium.file.url} alt={medium.alt} loading="lazy" />
            </button>
            <span className={classes.name} title={medium.file.name}>
              {medium.alt || medium.file.name}
            </span>
          </li>
        ))}
      </ul>
      <Pager total={data?.total} perPage={data?.per_page} page={page} onPage={setPage} />
    </>
  )
}
