#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Foundation

  /// A request over libcurl, from its beginning to its end. It runs entirely on the thread of the ``CurlLoop``.
  final class CurlTransfer {
    let number: Int
    let handle: Int
    private let curl: CurlFunctions
    private let request: HTTPWireRequest
    private let transfer: HTTPTransfer
    private var headerList = 0
    private var status = 0
    private var headers: [String: String] = [:]
    private var lastHeader: String?
    private var headerSize = 0
    private var isHeaderComplete = false
    private var lastSign = ContinuousClock.now
    private var uploaded: Int64 = 0

    private typealias Receive = @convention(c) (UnsafeRawPointer?, Int, Int, UnsafeRawPointer?) -> Int
    private typealias Progress = @convention(c) (UnsafeRawPointer?, Int64, Int64, Int64, Int64) -> Int32

    init?(_ number: Int, _ request: HTTPWireRequest, _ transfer: HTTPTransfer, _ curl: CurlFunctions) {
      handle = curl.makeHandle()
      (self.number, self.request, self.transfer, self.curl) = (number, request, transfer, curl)
      if handle == 0 { return nil }
      guard setUp() else {
        discard()
        return nil
      }
    }

    // MARK: Sending

    private func setUp() -> Bool {
      // libcurl doesn't retain the pointer. The loop keeps each running transfer, and removes its handle before
      // releasing it.
      let this = Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
      let receiveHeader: Receive = { bytes, size, count, this in
        CurlTransfer.at(this).receive(bytes, size * count, isHeader: true)
      }
      let receiveBody: Receive = { bytes, size, count, this in
        CurlTransfer.at(this).receive(bytes, size * count, isHeader: false)
      }
      let progress: Progress = { this, _, _, _, uploaded in
        CurlTransfer.at(this).note(uploaded)
        return 0
      }
      var isSet = set(CurlOption.url, request.url.absoluteString)
      isSet = isSet && set(CurlOption.hasNoSignal, 1)
      // HTTP and HTTPS, but not local files.
      isSet = isSet && set(CurlOption.protocols, 3)
      isSet = isSet && set(CurlOption.hidesProxyHeaders, 1)
      // All encodings that libcurl can decompress.
      isSet = isSet && set(CurlOption.encodings, "")
      // The options take pointer-sized arguments. The closures capture nothing, so they are plain C functions that
      // never end.
      isSet = isSet && set(CurlOption.headerFunction, unsafeBitCast(receiveHeader, to: Int.self))
      isSet = isSet && set(CurlOption.headerData, this)
      isSet = isSet && set(CurlOption.writeFunction, unsafeBitCast(receiveBody, to: Int.self))
      isSet = isSet && set(CurlOption.writeData, this)
      isSet = isSet && set(CurlOption.hasNoProgress, 0)
      isSet = isSet && set(CurlOption.progressFunction, unsafeBitCast(progress, to: Int.self))
      isSet = isSet && set(CurlOption.progressData, this)
      return isSet && setContent()
    }

    private func setContent() -> Bool {
      // Without this line, a large body is sent only after an interim answer.
      var lines = ["Expect:", "User-Agent: Sanderling"]
      lines += request.headers.map { $0.value.isEmpty ? "\($0.key);" : "\($0.key): \($0.value)" }
      if request.method == "HEAD" {
        if !set(CurlOption.hasNoBody, 1) { return false }
      } else if let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? Data() : nil) {
        if request.body == nil { lines.append("Content-Type:") }
        let isSet = body.withUnsafeBytes { bytes in
          // An empty body needs a valid address: with a null pointer, libcurl would call back for the body.
          let empty: StaticString = ""
          let address = bytes.baseAddress.map { Int(bitPattern: $0) } ?? Int(bitPattern: empty.utf8Start)
          return set(CurlOption.bodySize, bytes.count) && set(CurlOption.copiedBody, address)
        }
        if !isSet { return false }
      }
      if request.method != "GET", request.method != "HEAD", !set(CurlOption.method, request.method) { return false }
      for line in lines {
        let longer = curl.append(headerList, line)
        if longer == 0 { return false }
        headerList = longer
      }
      return set(CurlOption.headers, headerList)
    }

    private func set(_ option: Int32, _ value: Int) -> Bool { curl.setOption(handle, option, value) == 0 }

    /// libcurl copies the text.
    private func set(_ option: Int32, _ text: String) -> Bool {
      text.withCString { set(option, Int(bitPattern: $0)) }
    }

    // MARK: Receiving

    private static func at(_ pointer: UnsafeRawPointer?) -> CurlTransfer {
      guard let pointer else { preconditionFailure("libcurl returns the pointer that it was given") }
      return Unmanaged<CurlTransfer>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// - Returns: The number of accepted bytes; a smaller number than given ends the request.
    private func receive(_ bytes: UnsafeRawPointer?, _ count: Int, isHeader: Bool) -> Int {
      lastSign = .now
      guard let bytes else { return count }
      let isTaken =
        if isHeader {
          receiveLine(UnsafeRawBufferPointer(start: bytes, count: count))
        } else {
          transfer.receive(Data(bytes: bytes, count: count))
        }
      // If libcurl passes zero bytes, 0 would mean that all bytes were accepted.
      return isTaken ? count : count + 1
    }

    private func note(_ uploaded: Int64) {
      if uploaded != self.uploaded { (self.uploaded, lastSign) = (uploaded, .now) }
    }

    /// Whether no byte was received or sent for too long.
    var isSilent: Bool { ContinuousClock.now - lastSign > request.silence }

    /// - Returns: Whether to continue.
    private func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
      // Trailing headers may follow the body.
      if isHeaderComplete { return true }
      headerSize += bytes.count
      if !transfer.receiveHeader(size: headerSize) { return false }
      let line = String(decoding: bytes, as: UTF8.self)
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      if text.isEmpty { return endHeader() }
      if line.hasPrefix("HTTP/") {
        (headers, lastHeader) = ([:], nil)
        status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      } else if let lastHeader, line.first == " " || line.first == "\t" {
        headers[lastHeader, default: ""] += " " + text
      } else if let colon = text.firstIndex(of: ":") {
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        headers[name] = headers[name].map { $0 + ", " + value } ?? value
        lastHeader = name
      }
      return true
    }

    private func endHeader() -> Bool {
      // An interim answer; the real one follows.
      if (100..<200).contains(status) { return true }
      isHeaderComplete = true
      if (300..<400).contains(status), status != 304, let location = headers["location"] {
        transfer.redirect(to: URL(string: location, relativeTo: request.url))
        return false
      }
      return transfer.receive(HTTPResponse(status: status, headers: headers))
    }

    // MARK: The end

    /// The problem that left the answer incomplete; nil if there is none.
    func problem(_ code: Int32) -> String? {
      switch code {
      // libcurl treats a header that breaks off as the end of an answer without a body.
      case 0: isHeaderComplete ? nil : "the answer broke off within its header"
      case 1, 8: "the answer is not HTTP"
      case 3: "this system doesn't support the address"
      case 5, 6: "there is no such host"
      case 7: "nothing answers at the address"
      case 18: "the answer broke off"
      case 28: "the server was silent for too long"
      case 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91:
        "the server can't prove its identity (TLS)"
      case 52: "the connection ended without an answer"
      case 55, 56: "the connection was lost"
      default: "the connection failed (\(code) of libcurl)"
      }
    }

    func end(_ problem: String?) {
      discard()
      transfer.end(problem)
    }

    private func discard() {
      curl.discardHandle(handle)
      if headerList != 0 { curl.discardList(headerList) }
      headerList = 0
    }
  }
#endif
