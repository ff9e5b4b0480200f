import { Fragment } from 'react'
import { Button, Modal } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { embedCode } from '#features/crm/leads/web-form/rules.ts'
import classes from '#features/crm/leads/web-form/web/webForm.module.css'
import { copyText } from '#web/copyText.ts'
import { HostText } from '#web/parts/HostText.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  address: string
  title: string
  origins: readonly string[]
  onClose: () => void
}

/** The code with which a website shows the form, and the link to its page. */
export default function EmbedDialog({ address, title, origins, onClose }: Props) {
  const dialog = useDialog()
  const hosts = origins.map((origin) => origin.replace(/^https:\/\//, ''))
  return (
    <Modal {...dialog} opened onClose={onClose} title="Embed this form" size="lg">
      <div className={classes.dialog}>
        <Code label="On your own website" text={embedCode(address, title)} done="Code copied." />
        <Code label="Link to the hosted page" text={address} done="Link copied." />
        <p>
          {hosts.length === 0
            ? 'No website can embed it yet. Add websites to the form first.'
            : hosts.map((host, index) => (
                <Fragment key={host}>
                  {index === 0 ? 'Websites that can embed it: ' : ', '}
                  <HostText text={host} />
                  {index === hosts.length - 1 && '.'}
                </Fragment>
              ))}
        </p>
        <Soft small>
          No cookies, no tracking. The campaign in the address (utm_source …) is saved with the lead.
        </Soft>
        <footer>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button variant="default" component="a" href={address} target="_blank" rel="noopener noreferrer">
            Open hosted page
          </Button>
        </footer>
      </div>
    </Modal>
  )
}

const Code = ({ label, text, done }: { label: string; text: string; done: string }) => (
  <section aria-label={label}>
    <header>
      <h3>{label}</h3>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCopy size={14} aria-hidden />}
        onClick={() => void copyText(text, done)}
      >
        Copy
      </Button>
    </header>
    <pre className={classes.code} tabIndex={0}>
      {text}
    </pre>
  </section>
)
