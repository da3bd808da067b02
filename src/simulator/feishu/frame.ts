/**
 * The long connection's frames: protobuf `pbbp2.Frame`. Written by hand, so that the simulator is no echo of the
 * generated code that the SDK brings along.
 */
export interface Frame {
  readonly seqId: bigint;
  readonly logId: bigint;
  readonly service: number;
  /** 0: control (ping, pong), 1: data (events). */
  readonly method: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

export function encodeFrame({ seqId, logId, service, method, headers, payload }: Frame): Buffer {
  return Buffer.concat([
    number(1, seqId),
    number(2, logId),
    number(3, BigInt(service)),
    number(4, BigInt(method)),
    ...Object.entries(headers).map(([key, value]) =>
      bytes(5, Buffer.concat([bytes(1, Buffer.from(key)), bytes(2, Buffer.from(value))])),
    ),
    bytes(8, payload),
  ]);
}

/** @throws RangeError when the bytes are no frame. */
export function decodeFrame(data: Buffer): Frame {
  const headers: Record<string, string> = {};
  const numbers = new Map<number, bigint>();
  let payload: Buffer = Buffer.alloc(0);
  for (const [field, value] of fieldsOf(data)) {
    if (typeof value === 'bigint') numbers.set(field, value);
    else if (field === 8) payload = value;
    else if (field === 5) {
      const pair = new Map(fieldsOf(value));
      headers[String(pair.get(1) ?? '')] = String(pair.get(2) ?? '');
    }
  }
  return {
    seqId: numbers.get(1) ?? 0n,
    logId: numbers.get(2) ?? 0n,
    service: Number(numbers.get(3) ?? 0n),
    method: Number(numbers.get(4) ?? 0n),
    headers,
    payload,
  };
}

function* fieldsOf(data: Buffer): Generator<[number, bigint | Buffer]> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = data.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < data.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    if (kind === VARINT) yield [tag >>> 3, varint()];
    else if (kind === BYTES) {
      const length = Number(varint());
      if (at + length > data.length) throw new RangeError('a field ends behind the frame');
      yield [tag >>> 3, data.subarray(at, at + length)];
      at += length;
    } else if (kind === FIXED64) at += 8;
    else if (kind === FIXED32) at += 4;
    else throw new RangeError(`no wire type ${kind}`);
  }
}

const number = (field: number, value: bigint): Buffer => Buffer.concat([varintOf(BigInt(field << 3)), varintOf(value)]);

const bytes = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varintOf(BigInt((field << 3) | BYTES)), varintOf(BigInt(value.length)), value]);

function varintOf(value: bigint): Buffer {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(out);
}
