import { useSyncExternalStore } from 'react'
import { ActionIcon, Progress } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import classes from '#features/cms/articles/media/web/media.module.css'
import type { Uploads } from '#web/files/uploads.ts'

/** List of the uploads, each with its progress, a cancel button, and a retry button if it failed. */
export function UploadQueue({ uploads }: { uploads: Uploads }) {
  const items = useSyncExternalStore(uploads.subscribe, uploads.items)
  if (items.length === 0) return null
  return (
    <ul className={classes.queue} aria-label="Uploads">
      {items.map((item) => (
        <li key={item.key}>
          <span className={classes.name}>
            {item.file.name}
            {item.error !== undefined && (
              <span className={classes.error} role="alert">
                {' '}
                {item.error}
              </span>
            )}
          </span>
          {item.error === undefined ? (
            <Progress size="xs" value={item.progress * 100} aria-label={`Uploading ${item.file.name}`} />
          ) : item.again ? (
            <ActionIcon
              variant="subtle"
              aria-label={`Retry ${item.file.name}`}
              onClick={() => uploads.retry(item.key)}
            >
              <IconRefresh size={16} stroke={1.5} />
            </ActionIcon>
          ) : (
            <span />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={item.state === 'failed' ? `Dismiss ${item.file.name}` : `Cancel ${item.file.name}`}
            onClick={() => uploads.cancel(item.key)}
          >
            <IconX size={16} stroke={1.5} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}
