import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs'
import { receivedMails, type ReceivedMail as Mail } from '#shared/received-mails.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { FileList } from '#web/files/FileList.tsx'
import { Loaded } from '#web/list/states.tsx'
import classes from '#web/mail/mail.module.css'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

/** Only emails with HTML need it. */
const ForeignHtml = lazyPart(() => import('#web/richtext/ForeignHtml.tsx'), 'ForeignHtml')

/** An email that arrived, as its sender wrote it. */
export function ReceivedMail({ id }: { id: number }) {
  const query = useQuery(queryOptionsFor(receivedMails.show, { params: { id } }))
  return (
    <div className={classes.sent}>
      <Loaded query={query}>{({ data }) => <ReceivedLetter mail={data} />}</Loaded>
    </div>
  )
}

const none: ReadonlyMap<string, string> = new Map()

/** Sender, recipients, text, and files of an email that arrived. Images on other servers load only on request. */
export function ReceivedLetter({ mail }: { mail: Mail }) {
  const [loaded, setLoaded] = useState(none)
  const who = mail.from_name || mail.from_address || 'an unknown sender'
  const recipients = mail.to_addresses.map(shortAddress).join(', ')
  const cc = mail.cc_addresses.map(shortAddress).join(', ')
  return (
    <>
      <p className={classes.heads}>
        {mail.from_name && `${mail.from_name} `}
        {mail.from_address ? `<${mail.from_address}>` : 'No sender'}
        {recipients && ` to ${recipients}`}
        {cc && `, Cc ${cc}`}
      </p>
      {mail.remote_images > 0 && loaded === none && <BlockedImages mail={mail} onLoaded={setLoaded} />}
      {mail.html.trim() === '' ? (
        <p className={classes.plain}>{mail.text.trim() === '' ? 'This email has no text.' : mail.text}</p>
      ) : (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <ForeignHtml
            key={loaded.size}
            html={mail.html}
            title={`Email from ${who}`}
            images={mail.attachments}
            loaded={loaded}
          />
        </Suspense>
      )}
      <FileList files={mail.attachments} label={`Attachments from ${who}`} />
      {mail.problems.length > 0 && (
        <Soft as="div">
          <p>Parts of this email are missing:</p>
          <ul>
            {mail.problems.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </Soft>
      )}
    </>
  )
}

/** Replies arrive at an address with a token, which says nothing to people. */
const shortAddress = (address: string) => address.replace(/\+[a-f0-9]{32}@/, '@')

interface BlockedProps {
  mail: Mail
  onLoaded: (images: ReadonlyMap<string, string>) => void
}

function BlockedImages({ mail: { id, remote_images }, onLoaded }: BlockedProps) {
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    setLoading(true)
    try {
      const { data, failed } = await request(receivedMails.images, { params: { id } })
      if (failed > 0) toast.notice(`${failed === 1 ? '1 image' : `${failed} images`} couldn’t be loaded.`)
      onLoaded(new Map(data.map((one) => [one.url, one.data])))
    } catch (error) {
      toast.failure(errorMessageOf(error))
      setLoading(false)
    }
  }
  const what = remote_images === 1 ? '1 remote image is' : `${countText(remote_images)} remote images are`
  return (
    <div className={classes.blocked}>
      <IconPhotoOff size={16} stroke={1.5} aria-hidden />
      <span>{`${what} blocked. Loading ${remote_images === 1 ? 'it' : 'them'} can reveal that you opened this email.`}</span>
      <Button size="xs" variant="default" loading={isLoading} onClick={() => void load()}>
        Load images
      </Button>
    </div>
  )
}
