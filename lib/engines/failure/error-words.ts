/** Words of error messages of vLLM, SGLang, llama.cpp, Uvicorn, CUDA, NCCL and proxies. Others may be a client's. */
const WORDS: ReadonlySet<string> = new Set(
  `a above access after again all allocate allocated allocation allow allowed already an and answer any api are as assertion
  assertionerror at authentication authorization available bad be because been before being below between block blocks body
  broken buffer busy but by cache call cannot capacity cause change check closed completion completions config configuration connect
  connected connection connections contact contain contains content context copy core corrupted could crashed cuda cudnn
  currently data dead deadline decode default denied device did died disabled disconnect disconnected discarding disk do does
  done down driver due during each either empty enabled encoder encountered end endpoint engine enginecore enginedeaderror
  enough error errors exceed exceeded exceeds exception execute execution executor exist exists exit exited expected expired
  failed failure fatal feature field file fit follow for forbidden format found free from full gateway generation get given gone
  gpu gpus grammar greater group had handle handled has have header headers health healthy hidden host how however http id if
  illegal image images in incorrect increase index indexerror info initialize initialized input inputs inside instance instead
  insufficient internal invalid io is issue it its json jinja key keyerror killed kv large larger later layer left length less
  license limit limited limits list load loaded loading local lora loras lost low made malformed max maximum maybe media memory
  memoryerror message messages method minimum missing mm model modelnotfounderror models more multimodal must name names nccl
  need needed needs network new nginx no node none not notfounderror notimplementederror null number object of off on once one
  only open operation or other out output outofmemoryerror over overload overloaded parallel parameter parameters parse parser
  pass pending per permission permitted please pool port position possible prefill preempted prefix process processes
  processing processor prompt prompts proxy query queue queued quota range rank rate reach reached read ready reason received
  reduce refused reject rejected remaining remote remove replica request requested requester requests required requires reserve
  reserved reset resource resources respond response restart restarting result retry return returned revision root route router
  run runner running runtime runtimeerror schedule scheduled scheduler schema see send sent sequence server servers service set
  shape shard shared shutdown shutting size sleep sleeping slot slots small so some space specify stack start started starting
  startup state status step still stop stopped stream success support supported system task template temporarily tensor than that
  the their there they this timed time timeout timeouterror times to token tokenizer tokens too total trace tried try trying type
  typeerror unable unauthorized unavailable under unexpected unhealthy unknown unloaded unprocessable unreachable unsupported
  until unsuccessful up upstream url usage use used user using valid validation value valueerror values version vllm vocabulary
  wait waiting was web weights were when where which while will window with within without worker workers wrong yet you your
  sglang llama llamacpp envoy haproxy cloudflare traefik uvicorn ray triton torch pytorch cublas paged attention flash`.split(
    /\s+/,
  ),
)

/** Next to one of these words, a number is a count, a size or a code. */
const UNITS: ReadonlySet<string> = new Set(
  `token tokens status code http error length limit size maximum max window gib gb mib mb kib kb bytes gpu rank worker layer
  seconds second s ms requests slots blocks total version signal exit`.split(/\s+/),
)

export function isErrorWord(word: string): boolean {
  const lower = word.toLowerCase()
  return WORDS.has(lower) || UNITS.has(lower)
}

export function isUnit(word: string): boolean {
  return UNITS.has(word.toLowerCase())
}
